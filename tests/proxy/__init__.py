"""The proxy between official clients and scripted providers."""
