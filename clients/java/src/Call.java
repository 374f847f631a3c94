import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;

/** One operation under way: what it asks for, how it reports, how it is cancelled. */
final class Call {
    static final int BODY_KEPT = 4096; // of a body operation_finished carries the last so many bytes

    final Operation asked;
    final Semaphore slots; // null = no limit
    private final Session session;
    private Thread thread;
    private boolean cancelled;
    private boolean over;

    Call(Session session, Operation asked, Semaphore slots) {
        this.session = session;
        this.asked = asked;
        this.slots = slots;
    }

    /** Reports an event that has just happened, with the protocol's fields in turn. */
    synchronized void report(String event, Object... fields) {
        if (!over) {
            session.event(asked.op(), event, fields);
        }
    }

    /** The call begins, in this thread: t0. */
    synchronized long begin() {
        thread = Thread.currentThread();
        report("operation_started");
        if (cancelled) {
            thread.interrupt();
        }
        return System.nanoTime();
    }

    /** The caller cancels: its thread is interrupted. */
    synchronized void cancel() {
        cancelled = true;
        if (thread != null && !over) {
            thread.interrupt();
        }
    }

    synchronized void finish(Ending ending) {
        report("operation_finished", ending.fields());
        over = true;
        Thread.interrupted();
    }

    /** How a call ended: outcome, and what its caller got. */
    record Ending(String outcome, String last, Integer status, byte[] body, Throwable error) {
        static Ending success(int status, byte[] body) {
            return new Ending("success", null, status, body, null);
        }

        static Ending failure(String outcome, Integer status, Throwable error) {
            return new Ending(outcome, null, status, null, error);
        }

        /** The same failure after several attempts. */
        Ending exhausted() {
            return new Ending("retries_exhausted", outcome, status, null, error);
        }

        Object[] fields() {
            return new Object[] {"outcome", outcome, "last", last, "status", status,
                "bytes", body == null ? null : body.length, "body", body == null ? null : tail(body),
                "error_type", error == null ? null : errorType(error), "error", error == null ? null : String.valueOf(error.getMessage())};
        }

        /** The class and, after a colon, the most general timeout that it is. */
        static String errorType(Throwable error) {
            String name = error.getClass().getName();
            String timeout = null;
            for (Class<?> base = error.getClass().getSuperclass(); base != null; base = base.getSuperclass()) {
                timeout = base.getSimpleName().contains("Timeout") ? base.getName() : timeout;
            }
            return timeout == null ? name : name + ": " + timeout;
        }

        private static String tail(byte[] body) {
            int from = Math.max(0, body.length - BODY_KEPT);
            String text = new String(body, from, body.length - from, StandardCharsets.UTF_8);
            if (text.getBytes(StandardCharsets.UTF_8).length <= BODY_KEPT) {
                return text;
            }
            return new String(body, from, body.length - from, StandardCharsets.ISO_8859_1).replaceAll("[^\\x20-\\x7e\\n]", "?"); // no text
        }
    }
}
