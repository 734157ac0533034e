import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Calls the main method of a class and reports on descriptor 3. Arguments: the class and, if the
 * test marks its end by MbxpEnd, a file with the line of that mark.
 */
public final class MbxpLauncher {
    public static void main(String[] arguments) throws Throwable {
        byte[] secret = System.in.readAllBytes();
        Path descriptor = Path.of("/proc/self/fd/3");
        // Outside the sandbox it may be any file that the machine itself has open.
        if (!Files.readSymbolicLink(descriptor).toString().startsWith("pipe:"))
            throw new IllegalStateException("descriptor 3 is not a pipe");
        OutputStream report = new FileOutputStream(descriptor.toFile());
        report.write('R');
        MbxpEnd.expect(
            arguments.length > 1 ? Integer.parseInt(Files.readString(Path.of(arguments[1]))) : 0);
        Class<?> program = Class.forName(arguments[0]);
        try {
            run(program);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
        if (MbxpEnd.isReached())
            report.write(secret);
    }

    private static void run(Class<?> program) throws ReflectiveOperationException {
        // A Kotlin test has a main without parameters; another beside it is not the test's.
        boolean plain = program.getName().endsWith("Kt")
            && Arrays.stream(program.getDeclaredMethods())
                .anyMatch(m -> m.getName().equals("main") && m.getParameterCount() == 0);
        Method main = plain
            ? program.getDeclaredMethod("main")
            : program.getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        main.invoke(null, plain ? new Object[0] : new Object[] {new String[0]});
    }
}
