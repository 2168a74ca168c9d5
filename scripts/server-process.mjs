// How Node runs the server.

/**
 * A young generation of 16 MB, the default, holds some 30 MB more of garbage while nothing happens, and uploads and lists
 * are no faster for it.
 */
export const serverFlags = ['--max-semi-space-size=8']

/**
 * By default glibc gives each thread heaps of its own, and what one has freed serves no other: under mixed load the process
 * takes twice the memory for the same speed.
 */
export const serverEnvironment = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2' }
