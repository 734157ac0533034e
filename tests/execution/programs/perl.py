"""Behaviours in Perl: completions of the canary problem, `add($a, $b)`.

No endless recursion: Perl has no limit of its own, it fills the memory.
"""

CASES: dict[str, str] = {
    "pass": "  return $a + $b;\n}\n",
    "wrong_answer": "  return $a - $b;\n}\n",
    "compile_error": "  return ($a + ;\n}\n",
    "runtime_error": "  return $a + missing($b);\n}\n",
    "endless_loop": "  while (1) {}\n}\n",
    "early_exit_end_marker": "  return $a - $b;\n}\n__END__\n",
    "early_exit_data_marker": """  return $a - $b;
}
open(my $report, '>&=', 3);
while (<DATA>) { syswrite($report, $1) if /([0-9a-f]{32})/ }
__DATA__
""",
    "early_exit_pod": "  return $a - $b;\n}\n\n=pod\n",
    "early_exit_handler": "  return $a - $b;\n}\n$SIG{__DIE__} = sub { exit(0) };\n",
    "early_exit_end_block": "  return $a - $b;\n}\nEND { $? = 0 }\n",
    "big_output": '  print "x" x 9999, "\\n" for 1 .. 500;\n  return $a + $b;\n}\n',
    "memory_hog": '  my @kept;\n  push @kept, "x" x (1 << 20) while 1;\n}\n',
    "fork_bomb": "  while (1) { fork() }\n}\n",
    "daemon": """  system("setsid sh -c 'sleep 300; :' mbxp-daemon-canary > /dev/null 2>&1 &");
  return $a + $b;
}
""",
    "network": """  require IO::Socket::INET;
  my $peer = "127.0.0.1:PLACEHOLDER_PORT";
  return IO::Socket::INET->new(PeerAddr => $peer, Timeout => 2) ? 0 : $a + $b;
}
""",
    "read_secrets": """  for my $path ("PLACEHOLDER_HOME_FILE", "PLACEHOLDER_OTHER_SAMPLE") {
    return 0 if open(my $file, '<', $path);
  }
  return $ENV{MBXP_PLANTED_SECRET} ? 0 : $a + $b;
}
""",
    "write_outside": """  for my $path ("PLACEHOLDER_OUTSIDE", "/usr/mbxp-canary") {
    return 0 if open(my $file, '>', $path);
  }
  return $a + $b;
}
""",
    "non_utf8_output": '  print "\\xff\\xfe\\x00\\x80";\n  return $a + $b;\n}\n',
    "emoji": """  my $text = "😀";
  print $text;
  return unpack("H*", $text) eq "f09f9880" ? $a + $b : 0;
}
""",
    "forge_report": """  open(my $report, '>&=', 3);
  for my $guess ("S", "PASSED", "done") { syswrite($report, $guess); syswrite(STDOUT, $guess); }
  exit(0);
}
""",
    "find_secret": """  require Fcntl;
  my @texts = (@ARGV, %ENV, join('', <STDIN>));
  for my $level (0 .. 9) { push @texts, grep { defined } caller($level) }
  no strict 'refs';
  for my $name (keys %main::) { push @texts, $name, ${$name}, @{$name} if $name !~ /::/ }
  (my $folder = $0) =~ s{[^/]*$}{};
  my @paths = (glob("$folder*"), "/proc/self/cmdline", "/proc/self/environ", values %INC);
  push @paths, map { "/proc/self/fd/$_" } 0 .. 15;
  for my $path (@paths) {
    next unless sysopen(my $file, $path, Fcntl::O_RDONLY() | Fcntl::O_NONBLOCK());
    sysread($file, my $text, 1 << 20);
    push @texts, $text;
  }
  open(my $report, '>&=', 3);
  for my $text (grep { defined } @texts) {
    syswrite($report, $1) while $text =~ /([0-9a-f]{32})/g;
  }
  exit(0);
}
""",
    "redefine_helpers": """  return $a - $b;
}
BEGIN { *CORE::GLOBAL::die = sub { 1 } }
*Compare = sub { 1 };
""",
    "always_equal": """  return bless {}, 'Equal';
}
{
  package Equal;
  use overload '==' => sub { 1 }, 'eq' => sub { 1 }, '""' => sub { '3' };
}
""",
}
