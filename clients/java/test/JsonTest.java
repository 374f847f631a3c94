import java.util.List;
import java.util.Map;

/** Tests of Json: run by clients/java/check. */
final class JsonTest {
    private static int passed;
    private static int failed;

    public static void main(String[] arguments) {
        is(Map.of("type", "release", "at_ns", 9007199254740993L), Json.object("{\"type\":\"release\",\"at_ns\":9007199254740993}"));
        is(Map.of("a", 1.5, "b", List.of(1L, -2L, 3e2), "c", Map.of("d", true)), Json.object(" { \"a\" : 1.5 , \"b\":[1,-2,3e2],\"c\":{\"d\":true} } "));
        is(Map.of("e", List.of(), "f", Map.of()), Json.object("{\"e\":[ ],\"f\":{ }}"));
        is("a\"\\/\b\f\n\r\tü€😀", Json.object("{\"s\":\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00fc\\u20ac\\ud83d\\ude00\"}").get("s"));
        is(true, Json.object("{\"n\":null}").containsKey("n"));
        for (String text : List.of("", "3", "[]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1}x", "{\"a\":\"", "{\"a\":\"\\x\"}", "{\"a\":1 2}", "{\"a\":-}", "{a:1}", "{\"a\":tru}")) {
            refused(text);
        }
        is("{}", Json.text());
        is("{\"a\":1,\"c\":\"x\"}", Json.text("a", 1, "b", null, "c", "x"));
        is("{\"a\":[],\"b\":[\"x\",\"y\"],\"c\":{\"d\":2}}", Json.text("a", List.of(), "b", List.of("x", "y"), "c", Map.of("d", 2L)));
        String odd = "\u0000\"\\\n😀\ud83d é";
        is(odd, Json.object(Json.text("s", odd)).get("s"));
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void is(Object wanted, Object got) {
        if (wanted.equals(got)) {
            passed++;
        } else {
            failed++;
            System.out.println("found " + got + ", expected " + wanted);
        }
    }

    private static void refused(String text) {
        try {
            is("an IllegalArgumentException for " + text, Json.object(text));
        } catch (IllegalArgumentException e) {
            passed++;
        }
    }
}
