# Runs one program as the main program and reports on descriptor 3 that its tests have ended.
# Argument: the program. Beside it, `results` names the test's variables that hold results.
# Standard input holds the secret. Once read it exists as small integers only, in the last
# expression of the program: there is no string to be found among the objects.
Process.ppid # a fork server takes over here, and every program starts here
module Kernel
  driver = Module.new do
    raising = Kernel.instance_method(:raise)
    method_of = Kernel.instance_method(:method)
    is_a = Kernel.instance_method(:is_a?)
    report = IO.for_fd(3, "wb", autoclose: false)
    report.close_on_exec = true
    report.sync = true
    report.write("R")

    define_singleton_method(:source) do |path|
      secret = $stdin.sysread(1 << 16)
      bytes = secret.bytes
      bytes.each_index { |i| secret.setbyte(i, 0) }
      results = File.read(File.join(File.dirname(path), "results")).split
      text = File.binread(path).force_encoding(Encoding::UTF_8)
      text << "\n;[[#{bytes.join(",")}],[#{results.join(",")}]]"
    end

    define_singleton_method(:compile) do |path|
      text = source(path)
      program = RubyVM::InstructionSequence.compile(text, path, path, 1)
      text.replace("")
      report.write("S")
      program
    end

    # The test compares results by their own == and !=, and fails by raise.
    define_singleton_method(:replaced?) do |path, value, depth = 0|
      %i[== !=].each do |name|
        return true if method_of.bind_call(value, name).source_location&.first == path
      rescue TypeError, NameError
        return true
      end
      parts =
        if depth > 50 then []
        elsif is_a.bind_call(value, Array) then value.first(10_000)
        elsif is_a.bind_call(value, Hash) then value.first(10_000).flatten(1)
        else []
        end
      parts.any? { |part| replaced?(path, part, depth + 1) }
    end

    define_singleton_method(:ended) do |path, main, bytes, results|
      if method_of.bind_call(main, :raise).source_location ||
         results.any? { |value| replaced?(path, value) }
        raising.bind_call(self, StandardError, "the program replaced what its test relies on")
      end
      report.write(bytes.pack("C*"))
    end
  end

  path = ARGV.shift
  $PROGRAM_NAME = path
  last = driver.compile(path).eval
  main = TOPLEVEL_BINDING.receiver
  driver.ended(path, main, *last) if Array === last && last.size == 2 && Array === last[0]
end
