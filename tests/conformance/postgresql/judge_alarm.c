/* Preloaded into PostgreSQL, beside judge_clock.c: its processes set no timer, so that they look at
 * their deadlines only when the judge sends them SIGALRM; and where they ask for a signal when the
 * postmaster dies, it is SIGKILL, so that those die with it that the judge has stopped. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

int setitimer(__itimer_which_t which, const struct itimerval* new_value,
              struct itimerval* old_value) {
    (void)which;
    (void)new_value;
    (void)old_value;
    return 0;
}

int prctl(int option, ...) {
    unsigned long arguments[4];
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; ++i) arguments[i] = va_arg(list, unsigned long);
    va_end(list);
    if (option == PR_SET_PDEATHSIG) arguments[0] = SIGKILL;
    return (int)syscall(SYS_prctl, option, arguments[0], arguments[1], arguments[2], arguments[3]);
}
