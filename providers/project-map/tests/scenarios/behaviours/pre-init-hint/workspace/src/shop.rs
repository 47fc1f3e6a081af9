pub fn sell() {}
