import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/** As the documentation of HttpClient and HttpRequest shows it: connectTimeout, timeout, send. */
final class Readme extends JavaHttp {
    @Override
    String name() {
        return "java_http_readme";
    }

    @Override
    Map<String, String> settings() {
        return Map.of(
            "timeout", "HttpRequest.timeout: the smaller of attempt.total_ms and budget_ms; connectTimeout: sock_connect_ms",
            "retries", "none: the documentation shows none",
            "cancel", "the calling thread is interrupted",
            "client", "HTTP_1_1, Redirect.NORMAL, send with a body handler; one client for all operations");
    }

    @Override
    List<String> capabilities() {
        return List.of("cancel", "attempts", "body");
    }

    @Override
    Call.Ending call(Call call, long t0) {
        Operation asked = call.asked;
        double timeoutMs = asked.totalMs() == null ? asked.budgetMs() : Math.min(asked.totalMs(), asked.budgetMs());
        call.report("attempt_started", "attempt", 1);
        try {
            HttpResponse<byte[]> response = client(asked).send(request(asked).timeout(duration(timeoutMs)).build(), wholeBody(call, 1));
            return received(call, response);
        } catch (InterruptedException e) {
            call.report("cancellation_observed", "attempt", 1);
            return failed(call, "cancelled", "attempt_cancelled", e);
        } catch (IOException e) {
            String outcome = outcomeOf(e);
            return failed(call, outcome, outcome.endsWith("_timeout") ? "attempt_timed_out" : "attempt_failed", e);
        }
    }

    private static Call.Ending received(Call call, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        call.report("body_finished", "attempt", 1, "bytes", response.body().length);
        call.report("attempt_finished", "attempt", 1, "status", status);
        return ok(status) ? Call.Ending.success(status, response.body()) : Call.Ending.failure("unexpected_status", status, null);
    }

    private static Call.Ending failed(Call call, String outcome, String event, Exception e) {
        call.report(event, "attempt", 1, "error_type", Call.Ending.errorType(e), "error", String.valueOf(e.getMessage()));
        return Call.Ending.failure(outcome, null, e);
    }
}
