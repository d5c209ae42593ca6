"""OneShot: builds, grid combat, parley and generated missions."""
