// The computer of the page, as far as a browser tells: for which installer it is ([R373]).

export type System = 'windows' | 'mac' | 'linux'
export type Processor = 'x64' | 'arm64'

/** The operating system; undefined where none of our programs runs, as on phones. */
export function systemOf(agent: string = navigator.userAgent): System | undefined {
  if (/Android|iPhone|iPad|Mobile|CrOS/.test(agent)) return undefined
  if (agent.includes('Windows')) return 'windows'
  if (agent.includes('Mac OS')) return 'mac'
  return agent.includes('Linux') ? 'linux' : undefined
}

/** The processor. Browsers of new Macs say Intel, so a Mac counts as one of Apple's. */
export function processorOf(agent: string = navigator.userAgent): Processor {
  return /arm64|aarch64/i.test(agent) || systemOf(agent) === 'mac' ? 'arm64' : 'x64'
}

/** Height of the window about the editing program: lower where there is one for the system ([R082]). */
export const updaterHeight = (agent?: string): 180 | 360 => (systemOf(agent) === undefined ? 360 : 180)
