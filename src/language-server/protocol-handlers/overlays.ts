/** claimcheck/overlays. */
import { type OverlaysReply, overlaysRequest } from "../../protocol/messages.ts";
import type { ProtocolHandler } from "./handler.ts";

export const overlaysHandler: ProtocolHandler = {
  register: (session) => {
    session.answerWhenLoaded<unknown, OverlaysReply>(overlaysRequest, [], () =>
      session.service.environments().flatMap(({ name, kustomized }) =>
        kustomized.overlays.map(({ uri, folder, isJudged }) => {
          return { uri: session.clientUri(uri), folder, environment: name, isJudged };
        }),
      ),
    );
  },
};
