import { Person, type World } from './harness.ts'
import { manySessions } from './many-sessions.ts'

/** Signed-in people with access to the whole company; they own no library. */
export async function crowd(world: World, count: number): Promise<Person[]> {
  const sessions = await manySessions(world.app.db, count)
  return sessions.map(({ accountId, token }, n) => new Person(world, `one of many, ${n}`, accountId, token, 0))
}
