/** The end of a test that is the body of an object: it counts only where the test has it. */
public final class MbxpEnd {
    private static int line = -1;
    private static boolean reached;

    private MbxpEnd() {}

    static void expect(int expected) {
        if (line >= 0)
            throw new IllegalStateException();
        line = expected;
        reached = expected == 0;
    }

    static boolean isReached() {
        return reached;
    }

    public static void reached() {
        StackTraceElement caller = new Throwable().getStackTrace()[1];
        if (caller.getLineNumber() == line && caller.getClassName().startsWith("Main$"))
            reached = true;
    }
}
