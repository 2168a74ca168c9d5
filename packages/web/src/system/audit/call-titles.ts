// The names of calls in the audit log. The build replaces this module by its value (vite.config.ts), so that the audit
// page loads the names without the schemas.
import { type Call, callsByName } from '@cloudoc/contract'

/** The names of the calls that declare one, in both languages. */
export const titles: Readonly<Record<string, NonNullable<Call['title']>>> = Object.fromEntries(
  Object.entries(callsByName).flatMap(([name, { title }]) => (title === undefined ? [] : [[name, title]])),
)
