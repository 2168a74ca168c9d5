// The browser and operating system of a client, derived from its user agent.

const browsers = [
  ['Edge', /\bEdg\/(\d+)/],
  ['Firefox', /\bFirefox\/(\d+)/],
  ['Chrome', /\b(?:Headless)?Chrome\/(\d+)/],
  ['Safari', /\bVersion\/(\d+).*Safari/],
] as const
const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** `Chrome 142 · Windows`. For another program, the first words of its user agent; empty if there is no user agent. */
export function userAgentLabel(agent: string): string {
  const browser = browsers.flatMap(([name, test]) => {
    const [, version] = test.exec(agent) ?? []
    return version === undefined ? [] : [`${name} ${version}`]
  })[0]
  const system = systems.find(([, test]) => test.test(agent))?.[0]
  const words = [browser, system].filter((word) => word !== undefined)
  return words.length > 0 ? words.join(' · ') : agent.slice(0, 40)
}
