"""The benchmarks that come with stend, a file a family; skeleton.py shows how to add one."""
