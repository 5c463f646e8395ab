"""The benchmarks that come with stend, a file or a folder a family; skeleton.py shows how."""
