"""Storage under load: targets and their gates, runs of fio, hosts sampled meanwhile."""
