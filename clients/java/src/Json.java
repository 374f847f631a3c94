import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * As much JSON as the protocol needs. Values are Map, List, String, Long (a whole
 * number, without loss), Double, Boolean and null.
 */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Reads one object. Throws IllegalArgumentException with the character at which it is none. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.blanks();
        if (json.at < text.length() || !(value instanceof Map)) {
            throw json.wrong("one object");
        }
        return (Map<String, Object>) value;
    }

    /** Writes an object of the keys and values in turn; a null value is left out. */
    static String text(Object... keysAndValues) {
        StringBuilder out = new StringBuilder("{");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            if (keysAndValues[i + 1] != null) {
                out.append(out.length() > 1 ? "," : "");
                append(out, keysAndValues[i]);
                append(out.append(':'), keysAndValues[i + 1]);
            }
        }
        return out.append('}').toString();
    }

    private static void append(StringBuilder out, Object value) {
        if (value instanceof Map<?, ?> map) {
            Object[] flat = map.entrySet().stream().flatMap(e -> java.util.stream.Stream.of(e.getKey(), e.getValue())).toArray();
            out.append(text(flat));
        } else if (value instanceof List<?> list) {
            String between = "[";
            for (Object each : list) {
                append(out.append(between), each);
                between = ",";
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof String string) {
            quote(out, string);
        } else {
            out.append(value);
        }
    }

    private static void quote(StringBuilder out, String string) {
        out.append('"');
        for (char c : string.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private Object value() {
        blanks();
        char c = at < text.length() ? text.charAt(at) : 0;
        return switch (c) {
            case '{' -> map();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        for (at++; !ends('}', map.isEmpty());) {
            String key = string();
            blanks();
            expect(':');
            map.put(key, value());
        }
        return map;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        for (at++; !ends(']', list.isEmpty());) {
            list.add(value());
        }
        return list;
    }

    /** Whether the map or list ends here; takes the comma before its next member. */
    private boolean ends(char close, boolean empty) {
        blanks();
        if (at < text.length() && text.charAt(at) == close) {
            at++;
            return true;
        }
        if (!empty) {
            expect(',');
        }
        blanks();
        return false;
    }

    private String string() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return out.toString();
            }
            out.append(c == '\\' ? escaped() : c);
        }
        throw wrong("the end of a string");
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : 0;
        int known = "\"\\/bfnrt".indexOf(c);
        if (known >= 0) {
            return "\"\\/\b\f\n\r\t".charAt(known);
        }
        if (c != 'u' || at + 4 > text.length()) {
            throw wrong("an escape of JSON");
        }
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }

    private Object number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(from, at);
        try {
            return number.matches("-?\\d+") ? (Object) Long.valueOf(number) : (Object) Double.valueOf(number);
        } catch (NumberFormatException e) {
            at = from;
            throw wrong("a value");
        }
    }

    private Object word(String word, Object meaning) {
        if (!text.startsWith(word, at)) {
            throw wrong("a value");
        }
        at += word.length();
        return meaning;
    }

    private void expect(char c) {
        if (at >= text.length() || text.charAt(at) != c) {
            throw wrong("" + c);
        }
        at++;
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String expected) {
        String found = at < text.length() ? text.substring(at, Math.min(text.length(), at + 20)) : "the end";
        return new IllegalArgumentException("character " + (at + 1) + ": found " + found + ", expected " + expected);
    }
}
