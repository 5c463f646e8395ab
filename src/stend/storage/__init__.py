"""Storage under load: targets and their gates, fio driven on them, machines sampled beside."""
