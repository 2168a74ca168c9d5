// The parts of the npm package oidc-provider that tests use; the package has no types of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Interaction {
    readonly prompt: { readonly name: string }
    readonly params: Readonly<Record<string, unknown>>
    readonly session?: { readonly accountId: string }
    readonly grantId?: string
  }

  interface Configuration {
    readonly interactions: { url(context: unknown, interaction: { readonly uid: string }): string }
    findAccount(context: unknown, id: string): { accountId: string; claims(): object } | undefined
    readonly [option: string]: unknown
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration)
    readonly Grant: {
      new (of: { accountId?: string; clientId: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
    use(middleware: (context: { body: unknown }, next: () => Promise<void>) => Promise<void>): void
    on(event: string, listener: (context: unknown, error: Error) => void): void
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>
  }
}
