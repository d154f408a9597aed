"""The Falcon: chapels, aeries, kings, falconers and gates in The Castle."""
