import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One deadline, taken at the call, over the slot, every attempt with its body
 * and every pause: sendAsync, and the future is cancelled when its time is over.
 */
final class Bounded extends JavaHttp {
    @Override
    String name() {
        return "java_http_bounded";
    }

    @Override
    Map<String, String> settings() {
        return Map.of(
            "deadline", "taken at the call, over slot, connect, attempts, pauses and body: get(time left), then cancel(true)",
            "attempt", "total_ms by the same get and cancel, the body included; connectTimeout: sock_connect_ms; no sock_read_ms",
            "retries", "own loop by the policy, no pause outlives the deadline",
            "slots", "a fair Semaphore around the operation, inside the deadline",
            "client", "HTTP_1_1, Redirect.NORMAL, sendAsync; one client for all operations");
    }

    @Override
    List<String> capabilities() {
        return List.of("cancel", "slots", "attempts", "backoff", "body", "caller_deadline");
    }

    @Override
    Call.Ending call(Call call, long t0) {
        Operation asked = call.asked;
        double budgetMs = asked.callerDeadlineMs() == null ? asked.budgetMs() : Math.min(asked.budgetMs(), asked.callerDeadlineMs());
        Deadline deadline = new Deadline(t0 + nanos(budgetMs));
        try {
            return admitted(call, deadline);
        } catch (InterruptedException e) {
            call.report("cancellation_observed");
            return Call.Ending.failure("cancelled", null, e);
        } catch (TimeoutException e) {
            call.report("deadline_fired");
            return Call.Ending.failure("deadline_exceeded", null, e);
        }
    }

    private Call.Ending admitted(Call call, Deadline deadline) throws InterruptedException, TimeoutException {
        if (call.slots == null) {
            return attempts(call, deadline);
        }
        call.report("admission_wait_started");
        if (!call.slots.tryAcquire(deadline.left(), TimeUnit.NANOSECONDS)) {
            throw deadline.passed();
        }
        call.report("admission_acquired");
        try {
            return attempts(call, deadline);
        } finally {
            call.slots.release();
            call.report("admission_released");
        }
    }

    private Call.Ending attempts(Call call, Deadline deadline) throws InterruptedException, TimeoutException {
        Operation asked = call.asked;
        for (int n = 1;; n++) {
            deadline.look();
            Call.Ending ending = attempt(call, n, deadline);
            deadline.look();
            if (ending.outcome().equals("success") || !retryable(asked, ending)) {
                return ending;
            }
            if (n >= asked.maxAttempts()) {
                return n > 1 ? ending.exhausted() : ending;
            }
            pause(call, n, deadline);
        }
    }

    private static boolean retryable(Operation asked, Call.Ending ending) {
        return ending.outcome().equals("unexpected_status")
            ? asked.retryableStatuses().contains(ending.status())
            : asked.retryableFailures().contains(ending.outcome());
    }

    private Call.Ending attempt(Call call, int n, Deadline deadline) throws InterruptedException, TimeoutException {
        Operation asked = call.asked;
        long limit = asked.totalMs() == null ? Long.MAX_VALUE : nanos(asked.totalMs());
        call.report("attempt_started", "attempt", n);
        CompletableFuture<HttpResponse<byte[]>> sent = client(asked).sendAsync(request(asked).build(), wholeBody(call, n));
        try {
            return received(call, n, sent.get(Math.min(limit, deadline.left()), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            if (deadline.left() <= 0) {
                throw ended(call, n, sent, deadline.passed());
            }
            sent.cancel(true);
            return failed(call, n, "attempt_timeout", "total_ms", e);
        } catch (InterruptedException e) {
            throw ended(call, n, sent, e);
        } catch (ExecutionException e) {
            String outcome = outcomeOf(e.getCause());
            return failed(call, n, outcome, outcome.equals("connect_timeout") ? "sock_connect_ms" : null, e.getCause());
        }
    }

    private static Call.Ending received(Call call, int n, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        call.report("body_finished", "attempt", n, "bytes", response.body().length);
        call.report("attempt_finished", "attempt", n, "status", status);
        return ok(status) ? Call.Ending.success(status, response.body()) : Call.Ending.failure("unexpected_status", status, null);
    }

    private static Call.Ending failed(Call call, int n, String outcome, String limit, Throwable e) {
        call.report(limit == null ? "attempt_failed" : "attempt_timed_out",
            "attempt", n, "limit", limit, "error_type", Call.Ending.errorType(e), "error", String.valueOf(e.getMessage()));
        return Call.Ending.failure(outcome, null, e);
    }

    /** Ends an attempt from outside: the exchange is cancelled, its connection closed. */
    private static <E extends Exception> E ended(Call call, int n, CompletableFuture<?> sent, E why) {
        sent.cancel(true);
        call.report("attempt_cancelled", "attempt", n, "error_type", Call.Ending.errorType(why), "error", String.valueOf(why.getMessage()));
        return why;
    }

    /** Sleeps after attempt n; the deadline and the caller's interrupt end it. */
    private static void pause(Call call, int n, Deadline deadline) throws InterruptedException, TimeoutException {
        double ms = call.asked.pauseAfter(n);
        call.report("backoff_started", "attempt", n, "planned_ms", ms);
        new CountDownLatch(1).await(Math.min(nanos(ms), deadline.left()), TimeUnit.NANOSECONDS); // in nanoseconds; Thread.sleep rounds
        deadline.look();
        call.report("backoff_finished", "attempt", n);
    }

    /** An instant of System.nanoTime. */
    private record Deadline(long at) {
        long left() {
            return Math.max(0, at - System.nanoTime());
        }

        void look() throws InterruptedException, TimeoutException {
            if (Thread.interrupted()) {
                throw new InterruptedException("the caller cancelled");
            }
            if (left() <= 0) {
                throw passed();
            }
        }

        TimeoutException passed() {
            return new TimeoutException("the deadline has passed");
        }
    }
}
