"""The common part of the tests of what users keep, at the built server."""

from visitspage import VisitsTest

# A second connection of the page's user, for steps that other tests do by hand.
HELPER = """
    const { PromisedClient, randomName } = await import('/assets/promised.js');
    const client = new PromisedClient({ tabStorage: null, strict: true });
    const known = new Promise((resolve) => client.addEventListener('clock', () => client.clock.isKnown && resolve()));
    client.connect();
    await known;
    let seq = 0;
    globalThis.helper = {
        call: (name, fields) => client.call(name, fields),
        online: async () => {
            client.reconnect();
            while (client.state !== 'online') await new Promise((resolve) => client.addEventListener('state', resolve, { once: true }));
        },
        promise: (fields) => client.call('createPromise', {
            key: randomName(), meetsAt: new Date(client.clock.now() + 310000).toISOString(), ...fields }),
        stay: (promiseId, position) => setInterval(() => client.call('report', { promiseId, uptimeMs: client.clock.uptime(), fixes: [
            { seq: ++seq, accuracyMetres: 8, speedMps: 0, uptimeMs: client.clock.uptime(), ...position }] }).catch(() => undefined), 250),
    };
"""


class KeptTest(VisitsTest):
    """Users at browsers of a built server, who take some steps by a second connection."""

    def helped(self, server, name, **options):
        browser = self.browse(server, **options)
        browser.sign_up(name)
        browser.driver.set_script_timeout(60)
        browser.cdp("Runtime.evaluate", expression=f"(async () => {{ {HELPER} }})()", awaitPromise=True)
        return browser

    def call(self, browser, expression):
        answer = browser.cdp("Runtime.evaluate", expression=f"helper.{expression}", awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"]["exception"].get("description", answer))
        return answer["result"].get("value")

    def befriend(self, one, other, name):
        """Makes two users friends. Gives their ids."""
        ids = [self.call(browser, "call('getMe', {})")["user"]["userId"] for browser in (one, other)]
        self.call(one, f"call('requestFriend', {{ nickname: '{name}' }})")
        self.call(other, f"call('acceptFriend', {{ userId: '{ids[0]}' }})")
        return ids
