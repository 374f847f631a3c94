import java.util.List;

/**
 * Java clients that deadlinelab's bench can measure: {@code run NAME} speaks the
 * adapter protocol, version 1, as that client; {@code run --list} prints a line
 * for each: name, program, version.
 */
public final class Client {
    private static final List<JavaHttp> CLIENTS = List.of(new Readme(), new Bounded());

    public static void main(String[] arguments) throws Exception {
        String word = arguments.length == 1 ? arguments[0] : "";
        if (word.equals("--list")) {
            CLIENTS.forEach(client -> System.out.println(client.name() + "\t" + JavaHttp.PROGRAM + "\t" + JavaHttp.VERSION));
            return;
        }
        for (JavaHttp client : CLIENTS) {
            if (client.name().equals(word)) {
                Warm.up(client);
                new Session(client, System.in, System.out, Clock.shared()).run();
                System.exit(0);
            }
        }
        System.err.println("run: found " + (word.isEmpty() ? "no name" : "the name " + word)
            + ", expected one of " + String.join(", ", CLIENTS.stream().map(JavaHttp::name).toList()) + ", --list or install");
        System.exit(64);
    }
}
