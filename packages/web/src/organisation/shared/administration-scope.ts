// What the current administrator may do with users and departments: for the whole company, or for the delegated
// departments (decisions E1).
import { useSession } from '../../core/session/session.ts'

export interface AdministrationScope {
  /** The whole company, and everything beyond one department: secret levels, roles, managers, leaving users. */
  readonly whole: boolean
  readonly people: boolean
  readonly departments: boolean
  readonly quota: boolean
}

/** What the server will permit; the server checks again. */
export function useAdministrationScope(): AdministrationScope {
  const { powers, delegated = [] } = useSession().permission
  const whole = powers.includes('system')
  return {
    whole,
    people: whole || delegated.includes('people'),
    departments: whole || delegated.includes('departments'),
    quota: whole || delegated.includes('quota'),
  }
}
