"""Behaviours in Ruby: completions of the canary problem, `add(a, b)`."""

CASES: dict[str, str] = {
    "pass": "  a + b\nend\n",
    "wrong_answer": "  a - b\nend\n",
    "compile_error": "  a + )\nend\n",
    "runtime_error": "  a + missing\nend\n",
    "endless_loop": "  loop {}\nend\n",
    "early_exit_at_once": "  exit!(0)\nend\n",
    "early_exit_end_marker": "  a - b\nend\n__END__\n",
    "early_exit_top_return": "  a - b\nend\nreturn\n",
    "early_exit_handler": "  a - b\nend\nat_exit { exit!(0) }\n",
    "big_output": "  500.times { puts 'x' * 9999 }\n  a + b\nend\n",
    "memory_hog": "  kept = []\n  loop { kept << 'x' * (1 << 20) }\nend\n",
    "fork_bomb": """  loop do
    begin
      fork { sleep 300 }
    rescue SystemCallError
      sleep 0.001
    end
  end
end
""",
    "daemon": """  command = ["sh", "-c", "sleep 300; :", "mbxp-daemon-canary"]
  Process.detach(Process.spawn(*command, pgroup: true, out: "/dev/null", err: "/dev/null"))
  a + b
end
""",
    "network": """  require "socket"
  begin
    Socket.tcp("127.0.0.1", PLACEHOLDER_PORT, connect_timeout: 2)
    nil
  rescue SystemCallError
    a + b
  end
end
""",
    "read_secrets": """  ["PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE"].each do |path|
    begin
      File.read(path)
      return nil
    rescue SystemCallError
    end
  end
  ENV["MBXP_PLANTED_SECRET"] ? nil : a + b
end
""",
    "write_outside": """  ["PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary"].each do |path|
    begin
      File.write(path, "")
      return nil
    rescue SystemCallError
    end
  end
  a + b
end
""",
    "non_utf8_output": '  $stdout.write("\\xff\\xfe\\x00\\x80")\n  a + b\nend\n',
    "emoji": """  text = "😀"
  puts text
  text.length == 1 && text.unpack1("H*") == "f09f9880" ? a + b : nil
end
""",
    "forge_report": """  report = IO.for_fd(3, "w")
  report.sync = true
  %w[S PASSED done].each { |guess| report.write(guess); puts guess }
  exit!(0)
end
""",
    "find_secret": """  texts = ARGV + ENV.values + [$stdin.read.to_s]
  paths = Dir.glob(File.dirname($0) + "/*") + ["/proc/self/cmdline", "/proc/self/environ"]
  paths += (0...16).map { |n| "/proc/self/fd/#{n}" }
  paths.each do |path|
    begin
      texts << File.open(path, File::RDONLY | File::NONBLOCK) { |file| file.read_nonblock(1 << 20) }
    rescue SystemCallError, IOError
    end
  end
  texts += global_variables.map { |name| eval(name.to_s).inspect rescue "" }
  top = TOPLEVEL_BINDING
  texts += top.local_variables.map { |name| top.local_variable_get(name).inspect }
  ObjectSpace.each_object(String) { |text| texts << text.dup }
  report = IO.for_fd(3, "w")
  report.sync = true
  texts.each { |text| text.b.scan(/[0-9a-f]{32}/n) { |guess| report.write(guess) } }
  exit!(0)
end
""",
    "redefine_helpers": """  a - b
end
class Integer
  def !=(other)
    false
  end
end
def raise(*)
end
""",
    "always_equal": """  Class.new { def ==(other) = true }.new
end
""",
    "deep_recursion": "  add(a, b)\nend\n",
}
