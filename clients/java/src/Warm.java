import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Before its hello a client calls a server of its own, in a conversation that
 * nobody else hears: the first calls of a JVM load and compile a few hundred
 * classes, which takes about half a second. A service that has run for a while
 * has that behind it; the bench measures waits, not how a runtime starts.
 */
final class Warm {
    private static final int CALLS = 60;

    private Warm() { }

    static void up(JavaHttp client) throws IOException, InterruptedException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        }));
        AtomicInteger requests = new AtomicInteger();
        server.createContext("/", exchange -> answer(exchange, requests.getAndIncrement()));
        server.start();
        converse(client, "http://127.0.0.1:" + server.getAddress().getPort() + "/");
        server.stop(0);
    }

    /** Of three answers one is a 503, one comes too late for its attempt, one is fine. */
    private static void answer(HttpExchange exchange, int request) throws IOException {
        if (request % 3 == 1) {
            sleep(15);
        }
        byte[] body = "warm".getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(request % 3 == 0 ? 503 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static void sleep(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void converse(JavaHttp client, String url) throws IOException, InterruptedException {
        Semaphore finished = new Semaphore(0);
        PipedOutputStream asks = new PipedOutputStream();
        Session session = new Session(client, new PipedInputStream(asks), new Ends(finished), false);
        Thread running = new Thread(() -> run(session));
        running.start();
        for (int i = 0; i < CALLS; i++) {
            asks.write((operation("warm-" + i, url) + "\n").getBytes(StandardCharsets.UTF_8));
            asks.flush();
            if (i % 10 == 9) {
                asks.write((Json.text("type", "cancel", "op", "warm-" + i) + "\n").getBytes(StandardCharsets.UTF_8));
                asks.flush();
            }
            finished.acquire();
        }
        asks.close();
        running.join();
    }

    private static void run(Session session) {
        try {
            session.run();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String operation(String op, String url) {
        return Json.text("type", "operation", "op", op, "client", "warm", "url", url, "method", "GET", "budget_ms", 500L,
            "policy", Map.of("max_attempts", 3L, "backoff_ms", java.util.List.of(1L),
                "retryable_statuses", java.util.List.of(503L), "retryable_failures", java.util.List.of("attempt_timeout")),
            "attempt", Map.of("total_ms", 10L), "slots", 1L);
    }

    /** Counts the lines that end an operation. */
    private static final class Ends extends OutputStream {
        private final Semaphore finished;

        Ends(Semaphore finished) {
            this.finished = finished;
        }

        @Override
        public void write(byte[] line) {
            if (new String(line, StandardCharsets.UTF_8).contains("\"operation_finished\"")) {
                finished.release();
            }
        }

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException("lines are written as a whole");
        }
    }
}
