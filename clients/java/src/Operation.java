import java.util.List;
import java.util.Map;

/** What the bench asks for. Times are milliseconds; null = none. */
record Operation(String op, String client, String url, String method, long bodyBytes, String idempotencyKey,
                 double budgetMs, Double callerDeadlineMs, int maxAttempts, List<Double> backoffMs,
                 List<Integer> retryableStatuses, List<String> retryableFailures,
                 Double totalMs, Double connectMs, Double sockConnectMs, int slots) {

    static Operation of(Map<String, Object> message) {
        Map<String, Object> policy = map(message.get("policy"));
        Map<String, Object> attempt = map(message.get("attempt"));
        return new Operation(text(message.get("op")), text(message.get("client")), text(message.get("url")),
            message.get("method") instanceof String method && !method.isEmpty() ? method : "GET",
            (long) number(message.get("body_bytes"), 0), text(message.get("idempotency_key")),
            number(message.get("budget_ms"), 0), optional(message.get("caller_deadline_ms")),
            (int) number(policy.get("max_attempts"), 1),
            list(policy.get("backoff_ms")).stream().map(v -> number(v, 0)).toList(),
            list(policy.get("retryable_statuses")).stream().map(v -> (int) number(v, 0)).toList(),
            list(policy.get("retryable_failures")).stream().map(Operation::text).toList(),
            optional(attempt.get("total_ms")), optional(attempt.get("connect_ms")), optional(attempt.get("sock_connect_ms")),
            (int) number(message.get("slots"), 0));
    }

    /** The pause after attempt n, from 1; the last entry repeats. */
    double pauseAfter(int n) {
        return backoffMs.isEmpty() ? 0 : backoffMs.get(Math.min(n, backoffMs.size()) - 1);
    }

    /** The limit on the connect: the dial's, else that on the way to a connection. */
    Double connectLimitMs() {
        return sockConnectMs != null ? sockConnectMs : connectMs;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return value instanceof Map ? (Map<String, Object>) value : Map.of();
    }

    private static List<?> list(Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static String text(Object value) {
        return value instanceof String string ? string : null;
    }

    private static double number(Object value, double otherwise) {
        return value instanceof Number number ? number.doubleValue() : otherwise;
    }

    private static Double optional(Object value) {
        return value instanceof Number number ? (Double) number.doubleValue() : null;
    }
}
