/* Options, from a command line or from a request to a fork server. */
#include "launcher.h"

#include <stdlib.h>
#include <string.h>

const char *parse(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (!strcmp(name, "--")) {
            o->command = argv + i + 1;
            break;
        }
        if (++i == argc)
            return "an option without its value";
        char *text = argv[i];
        if (!strcmp(name, "--level"))
            o->strong = !strcmp(text, "strong");
        else if (!strcmp(name, "--uid"))
            o->uid = (unsigned)strtoul(text, NULL, 10);
        else if (!strcmp(name, "--wall"))
            o->wall_seconds = strtod(text, NULL);
        else if (!strcmp(name, "--memory"))
            o->memory_mb = atol(text);
        else if (!strcmp(name, "--file"))
            o->file_mb = atol(text);
        else if (!strcmp(name, "--tmp"))
            o->tmp_mb = atol(text);
        else if (!strcmp(name, "--processes"))
            o->processes = atol(text);
        else if (!strcmp(name, "--status"))
            o->status_fd = atoi(text);
        else if (!strcmp(name, "--serve"))
            o->serve_fd = atoi(text);
        else if (!strcmp(name, "--report"))
            o->report_fd = atoi(text);
        else if (!strcmp(name, "--read-only-program") || !strcmp(name, "--writable-program")) {
            o->directory = text;
            o->writable = name[2] == 'w';
        } else if (!strcmp(name, "--cwd"))
            o->cwd = text;
        else if (!strcmp(name, "--source") && o->n_visible < MAX_PATHS)
            o->source[o->n_visible] = text;
        else if (!strcmp(name, "--visible") && o->n_visible < MAX_PATHS) {
            if (!o->source[o->n_visible])
                o->source[o->n_visible] = text;
            o->visible[o->n_visible++] = text;
        }
        else if (!strcmp(name, "--env") && o->n_env < MAX_PATHS - 1)
            o->env[o->n_env++] = text;
        else
            return "an unknown option, or too many of one";
    }
    if (o->wall_seconds <= 0 || o->memory_mb <= 0 || o->file_mb <= 0 || o->tmp_mb <= 0
        || o->processes <= 0 || !o->cwd)
        return "not all of --wall, --memory, --file, --tmp, --processes and --cwd";
    return NULL;
}
