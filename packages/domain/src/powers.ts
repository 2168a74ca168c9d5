// What may be administered, in three hands that watch each other (admin.md E1).

/**
 * `system`: people, departments, libraries, space, servers, mail. `security`: secret levels and the rules of signing in.
 * `audit`: reads what happened, what the other two did included, and changes nothing.
 */
export const powers = ['system', 'security', 'audit'] as const
export type Power = (typeof powers)[number]
