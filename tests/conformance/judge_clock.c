/* Preloaded into a reference server: its time of day is what the judge wrote to a page that
 * both map. Only the monotonic clock goes on, so that the event loop still turns. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long long* microseconds;

__attribute__((constructor)) static void map_page(void) {
    const char* path = getenv("REDELIVER_JUDGE_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void* page = file < 0 ? MAP_FAILED : mmap(0, sizeof *microseconds, PROT_READ, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) _exit(78);
    close(file);
    microseconds = page;
}

/* An allocator may ask before the page is there. */
static long long read_page(void) { return microseconds ? *microseconds : 0; }

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
    long long at = read_page();
    (void)zone;
    now->tv_sec = at / 1000000;
    now->tv_usec = at % 1000000;
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
    long long at = read_page();
    if (clock != CLOCK_REALTIME) return (int)syscall(SYS_clock_gettime, clock, now);
    now->tv_sec = at / 1000000;
    now->tv_nsec = at % 1000000 * 1000;
    return 0;
}

time_t time(time_t* copy) {
    time_t at = (time_t)(read_page() / 1000000);
    if (copy) *copy = at;
    return at;
}
