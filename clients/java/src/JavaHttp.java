import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the two clients have in common: java.net.http as its documentation builds it. */
abstract class JavaHttp {
    static final String PROGRAM = "java.net.http";
    static final String VERSION = System.getProperty("java.version");

    private static final byte[] PIECE = new byte[64 << 10];

    // A client is made once and used for many requests; only its connect timeout differs.
    private final Map<Double, HttpClient> clients = new ConcurrentHashMap<>();

    abstract String name();

    abstract Map<String, String> settings();

    abstract List<String> capabilities();

    /** Makes the call that began at t0, on System.nanoTime, in this thread, which an interrupt cancels. */
    abstract Call.Ending call(Call call, long t0);

    /** Makes what a call needs and what is no part of it. */
    void prepare(Operation asked) {
        client(asked);
    }

    HttpClient client(Operation asked) {
        Double limit = asked.connectLimitMs();
        return clients.computeIfAbsent(limit == null ? 0.0 : limit, ms -> {
            HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .proxy(HttpClient.Builder.NO_PROXY);
            return (ms == 0 ? builder : builder.connectTimeout(duration(ms))).build();
        });
    }

    HttpRequest.Builder request(Operation asked) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(asked.url())).method(asked.method(), body(asked.bodyBytes()));
        return asked.idempotencyKey() == null ? request : request.header("Idempotency-Key", asked.idempotencyKey());
    }

    private static BodyPublisher body(long bytes) {
        if (bytes == 0) {
            return BodyPublishers.noBody();
        }
        List<byte[]> pieces = new java.util.ArrayList<>(Collections.nCopies((int) (bytes / PIECE.length), PIECE));
        pieces.add(new byte[(int) (bytes % PIECE.length)]);
        return BodyPublishers.fromPublisher(BodyPublishers.ofByteArrays(pieces), bytes);
    }

    /** The whole body as bytes; reports the head of the response when it is there. */
    BodyHandler<byte[]> wholeBody(Call call, int attempt) {
        return head -> {
            call.report("headers_received", "attempt", attempt, "status", head.statusCode());
            return BodyHandlers.ofByteArray().apply(head);
        };
    }

    /** What an error of java.net.http means, by its class. */
    static String outcomeOf(Throwable e) {
        if (e instanceof HttpConnectTimeoutException) {
            return "connect_timeout";
        }
        if (e instanceof HttpTimeoutException) {
            return "attempt_timeout";
        }
        return e instanceof ConnectException ? "connect_error" : "transport_error";
    }

    static Duration duration(double ms) {
        return Duration.ofNanos(nanos(ms));
    }

    static long nanos(double ms) {
        return Math.round(ms * 1e6);
    }

    static boolean ok(int status) {
        return status >= 200 && status <= 299;
    }
}
