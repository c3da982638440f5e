"""What a table is: its log of steps, the state that follows, who may do what, and what each seat may know."""
