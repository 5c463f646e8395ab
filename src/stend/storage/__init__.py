"""Storage under load: targets and who may write them, fio driven on them, machines sampled beside."""
