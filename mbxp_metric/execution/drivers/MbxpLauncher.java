import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Calls the main method of the class named by its argument and reports on descriptor 3. */
public final class MbxpLauncher {
    public static void main(String[] arguments) throws Throwable {
        byte[] secret = System.in.readAllBytes();
        OutputStream report = new FileOutputStream("/proc/self/fd/3");
        report.write('R');
        Method main = Class.forName(arguments[0]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
        report.write(secret);
    }
}
