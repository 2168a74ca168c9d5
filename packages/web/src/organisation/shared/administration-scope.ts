// What the person at the screen may do with people and departments: the whole company, or what was delegated (E1).
import { useSession } from '../../core/session/session.ts'

export interface AdministrationScope {
  /** The whole company, and what reaches beyond one department: levels, roles, who leads, who leaves. */
  readonly whole: boolean
  readonly people: boolean
  readonly departments: boolean
  readonly quota: boolean
}

/** What the server will let through; it decides again. */
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
