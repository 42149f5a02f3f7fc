"""The mathematics of timing: statistics, when to stop, whether to believe it, and the score.

Plain numbers in, plain values out: nothing here touches a device, a process or a clock.

- ``statistics``   median, its bootstrap interval, and several processes combined
- ``stopping``     when a Workload has been sampled enough
- ``credibility``  whether the runner's clock and the judge's clock tell the same story
- ``scoring``      one Score out of all Workloads
"""
