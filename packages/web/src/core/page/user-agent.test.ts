import { expect, it } from 'vitest'
import { userAgentLabel } from './user-agent.ts'

it('a client is called by its browser and system, another program by its own words', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
  const words = [
    userAgentLabel(chrome),
    userAgentLabel(`${chrome} Edg/142.0.0.0`),
    userAgentLabel(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1',
    ),
    userAgentLabel('lightMyRequest'),
    userAgentLabel(''),
  ]
  expect(words).toEqual(['Chrome 142 · Windows', 'Edge 142 · Windows', 'Safari 18 · iPhone', 'lightMyRequest', ''])
})
