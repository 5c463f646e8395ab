"""What is known of fio: profiles → job files in, its results and logs → records out.

Pure knowledge: nothing here touches a target or starts more than `fio --version`.
"""
