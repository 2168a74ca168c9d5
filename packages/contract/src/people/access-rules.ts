// Access rules: network, device, time, level and kind of client, and what follows.
import { z } from 'zod'
import { text } from '../fields.ts'

const Minute = z.int().min(0).max(1440).describe('A minute of the day.')

/** One rule. The first of the list that applies decides. */
export const AccessRule = z
  .strictObject({
    name: text(60).describe('What administrators call it.'),
    enabled: z.boolean().describe('Whether it is asked.'),
    minLevel: z.int().min(0).max(100).describe('It applies to people with this secret level and above.'),
    networks: z.array(text(60)).max(100).describe('Addresses and ranges; none: every network.'),
    outside: z.boolean().describe('Whether it applies outside of the networks, instead of inside.'),
    devices: z.enum(['any', 'approved', 'unapproved']).describe('The devices that it applies to.'),
    clients: z
      .array(z.enum(['web', 'desktop', 'mobile', 'program']))
      .max(4)
      .describe('The kinds of clients that it applies to; none: all.'),
    hours: z
      .strictObject({
        days: z.array(z.int().min(1).max(7)).max(7).describe('Days of the week, 1 is Monday; none: all.'),
        from: Minute,
        to: Minute,
        outside: z.boolean().describe('Whether it applies outside of the hours.'),
      })
      .nullable()
      .describe('When it applies, in the time zone of the company; null: always.'),
    action: z
      .enum(['allow', 'secondFactor', 'readOnly', 'refuse'])
      .describe('What follows: nothing, a second factor, only reading, or a refusal.'),
  })
  .meta({ id: 'AccessRule' })
export type AccessRule = z.output<typeof AccessRule>
