"""Loading storage with fio: what may be loaded, how fio is driven, what is watched beside it."""
