import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;

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
        try {
            // A Kotlin test has this one; another beside it is not the test's.
            Method plain = program.getDeclaredMethod("main");
            plain.setAccessible(true);
            plain.invoke(null);
        } catch (NoSuchMethodException none) {
            Method main = program.getDeclaredMethod("main", String[].class);
            main.setAccessible(true);
            main.invoke(null, (Object) new String[0]);
        }
    }
}
