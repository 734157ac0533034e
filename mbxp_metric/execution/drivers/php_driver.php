<?php
// Runs one program in the global scope and reports on descriptor 3 that its tests have ended.
// Argument: the program. Standard input holds the secret: the program's text, in memory only,
// ends by returning it, if that end is code at all (and not text behind a `?\>`).
(static function ($end): void {
    if (is_string($end)) {
        file_put_contents('php://fd/3', $end);
    }
})(eval((static function (): string {
    gethostname(); // a fork server takes over here, and every program starts here
    $secret = stream_get_contents(STDIN);
    file_put_contents('php://fd/3', 'R');
    $path = $_SERVER['argv'][1];
    $GLOBALS['argv'] = $_SERVER['argv'] = [$path];
    $GLOBALS['argc'] = $_SERVER['argc'] = 1;
    foreach (['PHP_SELF', 'SCRIPT_NAME', 'SCRIPT_FILENAME', 'PATH_TRANSLATED'] as $name) {
        $_SERVER[$name] = $path;
    }
    $source = file_get_contents($path);
    $tokens = @token_get_all($source . "\n;");
    $start = "file_put_contents('php://fd/3', 'S');";
    $finish = end($tokens) === ';' ? "\n;return '" . $secret . "';" : '';
    return $start . '?>' . $source . $finish;
})()));
