"""Where tasks run: in this process, in others of this machine, or on a Dask cluster."""
