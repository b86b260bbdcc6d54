"""A queue with a hundred workers in Ciw: RATE WORK LEAVING AWAY CUSTOMERS -> seconds of processor time, mean wait.

Ciw's servers do not leave after a customer. Who waits cannot tell a server that is away from one that is busy, so being
away is a part of the service time: the waits are the same.
"""

import random
import sys
import time

import ciw

WORKERS = 100


class WorkAndAway(ciw.dists.Distribution):
    """The work, and sometimes being away after it."""

    def __init__(self, work, leaving, away):
        self.work, self.leaving, self.away = work, leaving, away

    def sample(self, t=None, ind=None):
        seconds = random.expovariate(1 / self.work)
        if random.random() < self.leaving:
            seconds += random.expovariate(1 / self.away)
        return seconds


def main():
    rate, work, leaving, away = map(float, sys.argv[1:5])
    customers = int(sys.argv[5])
    ciw.seed(1)
    service = WorkAndAway(work, leaving, away) if leaving > 0 else ciw.dists.Exponential(1 / work)
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(rate)],
        service_distributions=[service],
        number_of_servers=[WORKERS],
    )
    simulation = ciw.Simulation(network)
    start = time.process_time()
    simulation.simulate_until_max_customers(customers, method="Finish")
    took = time.process_time() - start
    waits = [record.waiting_time for record in simulation.get_all_records()]
    print(took, sum(waits) / len(waits))


main()
