// Preloaded before a server: shifts its clock by CLOCK_SKEW_MS.
const skew = Number(process.env.CLOCK_SKEW_MS)
const now = Date.now
Date.now = () => now() + skew
