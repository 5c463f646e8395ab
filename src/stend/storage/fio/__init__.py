"""fio: profiles and job files, results and logs.

Pure knowledge: nothing here touches a target or starts more than `fio --version`.
"""
