// The same workloads on oneTBB: prints "name value" lines for the number of threads given.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <string>
#include <vector>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) {
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

static double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<size_t>(std::lround((values.size() - 1) * share))];
}

static double best_of(int rounds, const std::function<void()> &run) {
    std::vector<double> values;
    run();
    for (int i = 0; i < rounds; i++) {
        auto start = Clock::now();
        run();
        values.push_back(since(start));
    }
    return quantile(values, 0.0);
}

static unsigned long fib(unsigned n) {
    if (n < 2) return n;
    unsigned long a, b;
    tbb::parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
    return a + b;
}

static double delay(tbb::task_arena &arena, int idle_us) {
    auto idle = Clock::now();
    while (since(idle) < idle_us * 1e3) {
    }
    std::promise<double> done;
    auto start = Clock::now();
    arena.enqueue([&] { done.set_value(since(start) / 1e3); });
    return done.get_future().get();
}

int main(int, char **argv) {
    int threads = std::atoi(argv[1]);
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(threads, 2));
    tbb::task_arena arena(threads, 1);
    const unsigned n = 27;
    const double joins = 317810;
    volatile unsigned long sink = 0;
    std::printf("join %f\n", best_of(7, [&] { arena.execute([&] { sink = fib(n); }); }) / joins);

    const size_t len = 10000000;
    std::vector<float> map(len, 1.0f);
    double map_ns = best_of(15, [&] {
        arena.execute([&] {
            tbb::parallel_for(tbb::blocked_range<size_t>(0, len), [&](const tbb::blocked_range<size_t> &r) {
                for (size_t i = r.begin(); i != r.end(); i++) map[i] = map[i] * 0.5f + 1.0f;
            });
        });
    });
    std::printf("map %f\n", map_ns / 1e6);

    std::vector<double> values(len);
    for (size_t i = 0; i < len; i++) values[i] = static_cast<double>(i);
    volatile double total = 0;
    double sum_ns = best_of(15, [&] {
        arena.execute([&] {
            total = tbb::parallel_reduce(
                tbb::blocked_range<size_t>(0, len), 0.0,
                [&](const tbb::blocked_range<size_t> &r, double sum) {
                    for (size_t i = r.begin(); i != r.end(); i++) sum += std::sqrt(values[i]);
                    return sum;
                },
                [](double a, double b) { return a + b; });
        });
    });
    std::printf("sum %f\n", sum_ns / 1e6);

    tbb::task_arena other(threads, 0);
    for (int idle_us : {5, 200, 2000}) {
        std::vector<double> delays;
        for (int i = 0; i < 200; i++) delays.push_back(delay(other, idle_us));
        std::printf("wake-%d-p50 %f\n", idle_us, quantile(delays, 0.5));
        std::printf("wake-%d-p99 %f\n", idle_us, quantile(delays, 0.99));
    }
}
