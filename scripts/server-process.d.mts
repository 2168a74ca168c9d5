/** Arguments of Node. */
export const serverFlags: readonly string[]
/** Added to the environment. */
export const serverEnvironment: Readonly<Record<string, string>>
