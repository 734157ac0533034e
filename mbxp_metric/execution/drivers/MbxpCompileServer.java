import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A compiler that stays loaded. Arguments: which one, the source file's name, the compiler's
 * options. Requests come on standard input, answers go to descriptor 3; each is a number of parts
 * with the length of each before it. Whatever a compiler does but accept or refuse the program
 * ends this process: a new one then decides.
 */
public final class MbxpCompileServer {
    private interface Compiler {
        /** Whether it compiles; messages go to the stream. */
        boolean compile(Path source, Path output, PrintStream messages) throws Exception;
    }

    // In the directory that the sandbox has started us in, which is ours alone.
    private static final Path SOURCES = Path.of("in").toAbsolutePath();
    private static final Path OUTPUT = Path.of("out").toAbsolutePath();

    public static void main(String[] arguments) throws Exception {
        List<String> options = Arrays.asList(arguments).subList(2, arguments.length);
        DataInputStream requests = new DataInputStream(System.in);
        DataOutputStream answers =
            new DataOutputStream(new FileOutputStream("/proc/self/fd/3"));
        Compiler compiler;
        empty(SOURCES);
        empty(OUTPUT);
        switch (arguments[0]) {
            case "java": compiler = java(options); break;
            case "kotlin": compiler = kotlin(options); break;
            default: compiler = scala(options);
        }
        while (true) {
            int parts = requests.readInt();
            for (int i = 0; i < parts; i += 2)
                Files.write(
                    SOURCES.resolve(new String(part(requests), StandardCharsets.UTF_8)),
                    part(requests));
            ByteArrayOutputStream messages = new ByteArrayOutputStream();
            PrintStream stream = new PrintStream(messages, true, "UTF-8");
            boolean compiled =
                compiler.compile(SOURCES.resolve(arguments[1]), OUTPUT, stream);
            // As a compiler started beside the source would name it.
            String said = messages.toString("UTF-8").replace(SOURCES + "/", "");
            answer(answers, compiled, said.getBytes(StandardCharsets.UTF_8));
            empty(SOURCES);
            empty(OUTPUT);
        }
    }

    private static byte[] part(DataInputStream requests) throws IOException {
        return requests.readNBytes(requests.readInt());
    }

    private static void answer(DataOutputStream answers, boolean compiled, byte[] messages)
        throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(OUTPUT)) {
            files = found.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(whole);
        out.writeInt(2 + 2 * files.size());
        write(out, (compiled ? "0" : "1").getBytes(StandardCharsets.UTF_8));
        write(out, messages);
        for (Path file : files) {
            write(out, OUTPUT.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
            write(out, Files.readAllBytes(file));
        }
        answers.write(whole.toByteArray());
        answers.flush();
    }

    private static void write(DataOutputStream out, byte[] part) throws IOException {
        out.writeInt(part.length);
        out.write(part);
    }

    private static void empty(Path directory) throws IOException {
        if (Files.exists(directory))
            try (Stream<Path> found = Files.walk(directory)) {
                for (Path path : found.sorted(Comparator.reverseOrder()).toArray(Path[]::new))
                    Files.delete(path);
            }
        Files.createDirectories(directory);
    }

    private static Compiler java(List<String> options) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        // Kept: it has the index of the platform's classes.
        StandardJavaFileManager files =
            compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        String[] common = options.toArray(new String[0]);
        return (source, output, messages) -> {
            String[] all = Arrays.copyOf(common, common.length + 4);
            System.arraycopy(
                new String[] {"-d", output.toString(), "-cp", SOURCES.toString()}, 0,
                all, common.length, 4);
            return compiler
                .getTask(new PrintWriter(messages, true), files, null, Arrays.asList(all), null,
                    files.getJavaFileObjects(source))
                .call();
        };
    }

    private static Compiler kotlin(List<String> options) throws ReflectiveOperationException {
        System.setProperty("kotlin.environment.keepalive", "true");
        Object compiler = Class.forName("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler")
            .getConstructor().newInstance();
        Method run = compiler.getClass().getMethod("exec", PrintStream.class, String[].class);
        return (source, output, messages) -> {
            String[] all = Stream
                .concat(options.stream(), Stream.of("-d", output.toString(), source.toString()))
                .toArray(String[]::new);
            String exit = run.invoke(compiler, messages, all).toString();
            if (!exit.equals("OK") && !exit.equals("COMPILATION_ERROR"))
                throw new IllegalStateException(exit);
            return exit.equals("OK");
        };
    }

    private static Compiler scala(List<String> options) throws ReflectiveOperationException {
        Class<?> settingsClass = Class.forName("scala.tools.nsc.Settings");
        Class<?> globalClass = Class.forName("scala.tools.nsc.Global");
        Class<?> reporterClass = Class.forName("scala.tools.nsc.reporters.ConsoleReporter");
        Class<?> abstractReporter = Class.forName("scala.tools.nsc.reporters.Reporter");
        Class<?> seq = Class.forName("scala.collection.immutable.List");
        Object settings = settingsClass.getConstructor().newInstance();
        String[] all = Stream.concat(options.stream(), Stream.of("-d", OUTPUT.toString()))
            .toArray(String[]::new);
        settingsClass.getMethod("processArguments", seq, boolean.class)
            .invoke(settings, list(all), true);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Constructor<?> make = reporterClass.getConstructor(
            settingsClass, Class.forName("java.io.BufferedReader"), PrintWriter.class);
        Object reporter = make.newInstance(settings, null, new PrintWriter(said, true));
        Object global =
            globalClass.getConstructor(settingsClass, abstractReporter)
                .newInstance(settings, reporter);
        Constructor<?> newRun =
            Class.forName("scala.tools.nsc.Global$Run").getConstructor(globalClass);
        Method compile = newRun.getDeclaringClass().getMethod("compile", seq);
        Method reset = reporterClass.getMethod("reset");
        Method hasErrors = reporterClass.getMethod("hasErrors");
        Method summary = reporterClass.getMethod("printSummary");
        return (source, output, messages) -> {
            said.reset();
            reset.invoke(reporter);
            compile.invoke(newRun.newInstance(global), list(source.toString()));
            summary.invoke(reporter);
            messages.write(said.toByteArray());
            return !(boolean) hasErrors.invoke(reporter);
        };
    }

    /** A Scala list. */
    private static Object list(String... items) throws ReflectiveOperationException {
        Object empty = Class.forName("scala.collection.immutable.Nil$").getField("MODULE$").get(null);
        Method prepend = empty.getClass().getMethod("$colon$colon", Object.class);
        Object list = empty;
        for (int i = items.length - 1; i >= 0; i--)
            list = prepend.invoke(list, items[i]);
        return list;
    }
}
