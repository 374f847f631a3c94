import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What System.nanoTime counts from. */
final class Clock {
    private Clock() { }

    /**
     * Whether System.nanoTime counts from the start of the host, as
     * CLOCK_MONOTONIC does on Linux. /proc/uptime shows that instant in steps of
     * 10 ms; a host that has slept shows another one, and then there is no proof.
     */
    static boolean shared() {
        for (int i = 0; i < 3; i++) {
            if (agrees()) {
                return true;
            }
        }
        return false;
    }

    private static boolean agrees() {
        try {
            String uptime = Files.readString(Path.of("/proc/uptime"));
            long now = System.nanoTime();
            double seconds = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
            return Math.abs(seconds * 1e3 - now / 1e6) < 25;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }
}
