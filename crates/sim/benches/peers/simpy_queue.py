"""A queue with a hundred workers in SimPy: RATE WORK LEAVING AWAY CUSTOMERS -> seconds of processor time, mean wait.

Without leaving, as a user would write it: a process for each customer, and a resource. With leaving: a process for each
worker, who takes customers from a store, sometimes leaves after one, and is replaced later.
"""

import random
import sys
import time

import simpy

WORKERS = 100


def main():
    rate, work, leaving, away = map(float, sys.argv[1:5])
    customers = int(sys.argv[5])
    random.seed(1)
    env = simpy.Environment()
    waits = [0.0, 0]

    def begun(since):
        waits[0] += env.now - since
        waits[1] += 1

    def customer(desk):
        since = env.now
        with desk.request() as turn:
            yield turn
            begun(since)
            yield env.timeout(random.expovariate(1 / work))

    def customers_come(desk):
        for _ in range(customers):
            yield env.timeout(random.expovariate(rate))
            env.process(customer(desk))

    def worker(queue):
        while True:
            begun((yield queue.get()))
            yield env.timeout(random.expovariate(1 / work))
            if random.random() < leaving:
                yield env.timeout(random.expovariate(1 / away))

    def customers_queue(queue):
        for _ in range(customers):
            yield env.timeout(random.expovariate(rate))
            yield queue.put(env.now)

    if leaving > 0:
        queue = simpy.Store(env)
        for _ in range(WORKERS):
            env.process(worker(queue))
        env.process(customers_queue(queue))
    else:
        env.process(customers_come(simpy.Resource(env, capacity=WORKERS)))
    start = time.process_time()
    env.run()
    print(time.process_time() - start, waits[0] / waits[1])


main()
