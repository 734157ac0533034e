// Mono's compiler, which stays loaded: a request comes on standard input, its answer goes to
// descriptor 3 (see servers.py). Arguments: the compiler, and its options for every program.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;

static class MbxpCompileServer
{
    static void Main(string[] arguments)
    {
        var compiler = Assembly.LoadFrom(arguments[0])
            .GetType("Mono.CSharp.CompilerCallableEntryPoint").GetMethod("InvokeCompiler");
        var options = arguments.Skip(1).ToArray();
        var requests = Console.OpenStandardInput();
        while (true)
        {
            for (uint left = Number(requests); left > 0; left -= 2)
                File.WriteAllBytes(Encoding.UTF8.GetString(Part(requests)), Part(requests));
            var messages = new StringWriter();
            bool compiled = (bool)compiler.Invoke(null, new object[] { options, messages });
            var answer = new List<byte[]> { Text(compiled ? "0" : "1"), Text(messages.ToString()) };
            if (compiled)
            {
                answer.Add(Text("main.exe"));
                answer.Add(File.ReadAllBytes("main.exe"));
            }
            File.Delete("main.exe");
            Send(answer);
        }
    }

    static byte[] Text(string text)
    {
        return Encoding.UTF8.GetBytes(text);
    }

    static byte[] Exactly(Stream requests, int size)
    {
        var data = new byte[size];
        for (int done = 0; done < size;)
        {
            int part = requests.Read(data, done, size - done);
            if (part <= 0)
                Environment.Exit(0);
            done += part;
        }
        return data;
    }

    static uint Number(Stream requests)
    {
        return BitConverter.ToUInt32(Exactly(requests, 4).Reverse().ToArray(), 0);
    }

    static byte[] Part(Stream requests)
    {
        return Exactly(requests, (int)Number(requests));
    }

    static byte[] Packed(int number)
    {
        return BitConverter.GetBytes((uint)number).Reverse().ToArray();
    }

    [DllImport("libc", SetLastError = true)]
    static extern IntPtr write(int descriptor, byte[] bytes, UIntPtr length);

    // Mono's own streams refuse a descriptor that they did not open.
    static void Send(List<byte[]> answer)
    {
        var whole = new List<byte>(Packed(answer.Count));
        foreach (var part in answer)
        {
            whole.AddRange(Packed(part.Length));
            whole.AddRange(part);
        }
        for (var left = whole.ToArray(); left.Length > 0;)
        {
            int done = (int)write(3, left, (UIntPtr)left.Length);
            if (done < 0)
                Environment.Exit(1);
            left = left.Skip(done).ToArray();
        }
    }
}
