import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** One conversation with the bench: JSON lines, one thread per operation. */
final class Session {
    private final JavaHttp client;
    private final InputStream in;
    private final OutputStream out;
    private final boolean monotonic;
    private final Map<String, Call> calls = new ConcurrentHashMap<>(); // by op
    private final Map<String, CompletableFuture<Long>> held = new ConcurrentHashMap<>(); // op of a hold_slot: when it is given back
    private final Map<String, Slots> slots = new ConcurrentHashMap<>(); // by client id

    private record Slots(int count, Semaphore semaphore) { }

    Session(JavaHttp client, InputStream in, OutputStream out, boolean monotonic) {
        this.client = client;
        this.in = in;
        this.out = out;
        this.monotonic = monotonic;
    }

    /** Converses until shutdown or the end of the input. */
    void run() throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            try {
                Map<String, Object> message = Json.object(line);
                if ("shutdown".equals(message.get("type"))) {
                    return;
                }
                obey(message);
            } catch (IllegalArgumentException e) {
                throw new IOException("line " + number + " from the bench: " + e.getMessage());
            }
        }
    }

    private void obey(Map<String, Object> message) {
        String op = String.valueOf(message.get("op"));
        switch (String.valueOf(message.get("type"))) {
            case "hello" -> hello();
            case "operation" -> operation(Operation.of(message));
            case "hold_slot" -> holdSlot(op, String.valueOf(message.get("client")), ((Long) message.get("slots")).intValue());
            case "release" -> held.getOrDefault(op, new CompletableFuture<>()).complete((Long) message.getOrDefault("at_ns", 0L));
            case "cancel" -> {
                Call call = calls.get(op);
                if (call != null) {
                    call.cancel();
                }
            }
            case "close" -> slots.remove(String.valueOf(message.get("client")));
            default -> { } // of a newer bench
        }
    }

    private void hello() {
        write(Json.text("type", "hello", "protocol", 1L, "name", JavaHttp.PROGRAM, "version", JavaHttp.VERSION,
            "language", "Java " + JavaHttp.VERSION, "settings", client.settings(), "capabilities", client.capabilities(),
            "clock", monotonic ? "monotonic" : "none"));
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    private Slots slotsOf(String id, int count) {
        return slots.computeIfAbsent(id, any -> new Slots(count, new Semaphore(count, true)));
    }

    private void operation(Operation asked) {
        Semaphore limit = asked.slots() > 0 ? slotsOf(asked.client(), asked.slots()).semaphore() : null;
        Call call = new Call(this, asked, limit);
        calls.put(asked.op(), call); // before its thread runs, so that no cancel is missed
        start(() -> {
            call.finish(ending(call));
            calls.remove(asked.op());
        });
    }

    private Call.Ending ending(Call call) {
        try {
            client.prepare(call.asked);
            return client.call(call, call.begin());
        } catch (RuntimeException | Error e) {
            e.printStackTrace();
            return Call.Ending.failure("client_error", null, e);
        }
    }

    /** Takes every slot of a client and keeps them until release. */
    private void holdSlot(String op, String id, int count) {
        CompletableFuture<Long> release = new CompletableFuture<>();
        held.put(op, release);
        Slots all = slotsOf(id, count);
        start(() -> {
            event(op, "operation_started");
            event(op, "admission_wait_started");
            all.semaphore().acquireUninterruptibly(all.count());
            event(op, "admission_acquired");
            waitUntil(release.join());
            all.semaphore().release(all.count());
            held.remove(op);
            event(op, "admission_released");
            event(op, "operation_finished", "outcome", "success");
        });
    }

    private static void waitUntil(long ns) {
        while (ns != 0 && ns - System.nanoTime() > 0) {
            LockSupport.parkNanos(ns - System.nanoTime());
        }
    }

    /** Writes an event with the instant of this call. One at a time, so that lines and times have one order. */
    synchronized void event(String op, String event, Object... fields) {
        Object[] head = {"type", "event", "op", op, "event", event, "t_ns", monotonic ? (Long) System.nanoTime() : null};
        Object[] all = java.util.Arrays.copyOf(head, head.length + fields.length);
        System.arraycopy(fields, 0, all, head.length, fields.length);
        write(Json.text(all));
    }

    private synchronized void write(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            System.err.println("run: the bench does not read any more: " + e.getMessage());
            Runtime.getRuntime().halt(1);
        }
    }
}
