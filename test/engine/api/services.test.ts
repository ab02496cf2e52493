import assert from "node:assert/strict";
import { storedObject } from "../../../src/engine/api/stored-object.ts";
import { create, field, patchStored, refusal, replace } from "./answer.ts";

const service = (spec: string, ports = "[{ port: 80 }]"): string => `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { ports: ${ports}, ${spec} }`;

const answerTo = (spec: string, ports?: string): string => refusal(create(service(spec, ports)));

suite("A Service", () => {
  test("that is headless must not be of type LoadBalancer", () => {
    assert.equal(answerTo("clusterIP: None"), "accepted");
    assert.equal(
      answerTo("clusterIP: None, type: LoadBalancer"),
      "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for LoadBalancer services",
    );
  });

  test("that was stored before lists of addresses and families existed gets them", () => {
    const read = (spec: object): unknown => {
      const metadata = { name: "web", uid: "u", resourceVersion: "1" };
      const answer = storedObject({ apiVersion: "v1", kind: "Service", metadata, spec });
      assert.ok(answer.ok && answer.object.kind === "Service");
      const { clusterIPs, ipFamilies, ipFamilyPolicy } = answer.object.spec ?? {};
      return { clusterIPs, ipFamilies, ipFamilyPolicy };
    };
    const ports = [{ port: 80 }];
    assert.deepEqual(read({ ports, clusterIP: "10.96.7.7" }), {
      clusterIPs: ["10.96.7.7"],
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
    });
    assert.deepEqual(read({ ports, clusterIP: "fd00::7" }), {
      clusterIPs: ["fd00::7"],
      ipFamilies: ["IPv6"],
      ipFamilyPolicy: "SingleStack",
    });
    assert.deepEqual(read({ ports, clusterIP: "None" }), {
      clusterIPs: ["None"],
      ipFamilies: ["IPv4", "IPv6"],
      ipFamilyPolicy: "RequireDualStack",
    });
    const both = {
      clusterIPs: ["10.96.7.7", "fd00::7"],
      ipFamilies: ["IPv4", "IPv6"],
      ipFamilyPolicy: "PreferDualStack",
    };
    assert.deepEqual(read({ ports, clusterIP: "10.96.7.7", ...both }), both);
    const named = { type: "ExternalName", externalName: "example.com" };
    assert.deepEqual(read(named), {
      clusterIPs: undefined,
      ipFamilies: undefined,
      ipFamilyPolicy: undefined,
    });
  });

  test("must have annotations that agree with each other and with the type", () => {
    const annotated = (annotations: string, spec = ""): string =>
      refusal(
        create(service(spec).replace("name: web", `name: web, annotations: { ${annotations} }`)),
      );
    assert.equal(
      annotated(
        "service.kubernetes.io/topology-mode: Auto, service.kubernetes.io/topology-aware-hints: auto",
      ),
      'metadata.annotations[service.kubernetes.io/topology-mode]: Invalid value: "Auto": must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified',
    );
    const ranges = "service.beta.kubernetes.io/load-balancer-source-ranges";
    assert.equal(
      annotated(`${ranges}: ' 10.0.0.0/8, 1.2.3.0/24'`, "type: LoadBalancer"),
      "accepted",
    );
    assert.equal(
      annotated(`${ranges}: 10.0.0.0`),
      [
        `metadata.annotations[${ranges}]: Forbidden: may only be used when \`type\` is 'LoadBalancer'`,
        `metadata.annotations[${ranges}]: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
      ].join("\n"),
    );
  });

  test("keeps the port for health checks", () => {
    const watched = (port: number): string =>
      service(`type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: ${port}`);
    assert.equal(refusal(replace(watched(30_000), watched(30_000))), "accepted");
    assert.equal(
      refusal(replace(watched(30_000), watched(30_001))),
      "spec.healthCheckNodePort: Forbidden: field is immutable",
    );
  });

  test("reports a changed load balancer class first in an update, and again with the rest", () => {
    const balanced = (spec: string): string => service(`type: LoadBalancer, ${spec}`);
    const prefix = 'spec.loadBalancerClass: Invalid value: "/b": prefix part must be non-empty';
    const other = replace(balanced("loadBalancerClass: a/b"), balanced("loadBalancerClass: /b"));
    const changed = 'spec.loadBalancerClass: Invalid value: "/b": may not change once set';
    assert.equal(refusal(other), [changed, prefix, prefix].join("\n"));
    const unused =
      "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'";
    const none = replace(service(""), service("loadBalancerClass: a/b, sessionAffinity: Maybe"));
    const affinity =
      'spec.sessionAffinity: Unsupported value: "Maybe": supported values: "ClientIP", "None"';
    assert.equal(refusal(none), [unused, affinity, unused].join("\n"));
  });

  test("loses fields that its new type does not use, unless they are changed", () => {
    const ports = (nodePort: string): string => `[{ port: 80, ${nodePort} }]`;
    const balancing = service(
      "type: LoadBalancer, loadBalancerClass: a/b, externalTrafficPolicy: Local, healthCheckNodePort: 30001",
      ports("nodePort: 30000"),
    );
    const written =
      "clusterIP: 10.96.0.0, clusterIPs: [10.96.0.0], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, loadBalancerClass: a/b, externalTrafficPolicy: Local, healthCheckNodePort: 30001, allocateLoadBalancerNodePorts: true";
    const internal = replace(balancing, service(written, ports("nodePort: 30000")));
    assert.deepEqual(field(internal, "spec"), {
      clusterIP: "10.96.0.0",
      clusterIPs: ["10.96.0.0"],
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      sessionAffinity: "None",
      type: "ClusterIP",
    });
    assert.equal(
      refusal(replace(balancing, service(written, ports("nodePort: 30002")))),
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    );
    const name = "type: ExternalName, externalName: db";
    const named = replace(
      service(""),
      service(`${name}, clusterIP: 10.96.0.0, clusterIPs: [10.96.0.0]`),
    );
    assert.equal(field(named, "spec.clusterIP"), undefined);
    assert.equal(field(replace(service(name), service("")), "spec.clusterIP"), "10.96.0.0");
  });

  test("keeps node ports by the names of its ports", () => {
    const listed = replace(
      service(
        "type: NodePort",
        "[{ name: a, port: 80, nodePort: 30000 }, { name: b, port: 81, nodePort: 30001 }]",
      ),
      service(
        "type: NodePort",
        "[{ name: b, port: 82 }, { name: c, port: 80, nodePort: 30000 }, { name: a, port: 83 }]",
      ),
    );
    const ports = field(listed, "spec.ports") as { readonly nodePort?: number }[];
    assert.deepEqual(
      ports.map(({ nodePort }) => nodePort),
      [30_001, 30_000, undefined],
    );
  });

  test("can give up node ports if it does not allocate them", () => {
    const balancing = (allocate: boolean, ports: string): string =>
      service(`type: LoadBalancer, allocateLoadBalancerNodePorts: ${allocate}`, ports);
    const given =
      "[{ name: a, port: 80, nodePort: 30000 }, { name: b, port: 81, nodePort: 30001 }]";
    const kept = (allocate: boolean): readonly unknown[] => {
      const left = "[{ name: a, port: 80, nodePort: 30000 }, { name: b, port: 81 }]";
      const answer = replace(balancing(allocate, given), balancing(allocate, left));
      const ports = field(answer, "spec.ports") as { readonly nodePort?: number }[];
      return ports.map(({ nodePort }) => nodePort);
    };
    assert.deepEqual(kept(true), [30_000, 30_001]);
    assert.deepEqual(kept(false), [30_000, undefined]);
  });

  test("of type ExternalName must have a name and no address", () => {
    assert.equal(answerTo("type: ExternalName"), "spec.externalName: Required value");
    assert.equal(answerTo("type: ExternalName, externalName: db.example.com."), "accepted");
    const forbidden = "spec.clusterIPs: Forbidden: may not be set for ExternalName services";
    const named = "type: ExternalName, externalName: db";
    for (const address of ["clusterIPs: [10.0.0.1]", "clusterIP: 10.0.0.1", "clusterIP: None"])
      assert.equal(answerTo(`${named}, ${address}`), forbidden);
    assert.equal(answerTo(`${named}, clusterIP: ""`), "accepted");
    assert.equal(
      refusal(replace(service(named), service(`${named}, clusterIP: 10.0.0.1`))),
      forbidden,
    );
  });

  test("with two families needs a policy that allows them; the first address determines the first family", () => {
    const refused = (what: string): string =>
      `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    for (const policy of ["", "ipFamilyPolicy: SingleStack, "]) {
      assert.equal(answerTo(`${policy}ipFamilies: [IPv4, IPv6]`), refused("IP families"));
      assert.equal(
        answerTo(`${policy}clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1, 'fd00::1']`),
        refused("cluster IPs"),
      );
    }
    const familiesOf = (spec: string): unknown => field(create(service(spec)), "spec.ipFamilies");
    assert.deepEqual(familiesOf("ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv6, IPv4]"), [
      "IPv6",
      "IPv4",
    ]);
    assert.deepEqual(familiesOf("clusterIP: 'fd00::1'"), ["IPv6"]);
    assert.deepEqual(familiesOf("ipFamilies: [IPv6]"), ["IPv6"]);
    assert.deepEqual(familiesOf("clusterIP: None, ipFamilies: [IPv6]"), ["IPv6", "IPv4"]);
    const single = "clusterIP: None, ipFamilyPolicy: SingleStack";
    assert.deepEqual(familiesOf(single), ["IPv4"]);
    const both = service("clusterIP: None, ipFamilies: [IPv4, IPv6]");
    assert.deepEqual(field(replace(both, service(single)), "spec.ipFamilies"), ["IPv4"]);
    assert.equal(
      answerTo("ipFamilyPolicy: RequireDualStack, ipFamilies: [IPv6, IPv6]"),
      'spec.ipFamilies[1]: Duplicate value: "IPv6"',
    );
  });

  test("must have one address of each family, the first as clusterIP, and no special external addresses", () => {
    assert.equal(
      answerTo("clusterIP: 10.0.0.1, clusterIPs: [10.0.0.2]"),
      'spec.clusterIPs: Invalid value: ["10.0.0.2"]: first value must match `clusterIP`',
    );
    assert.equal(
      answerTo("clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1, 10.0.0.2]"),
      'spec.clusterIPs: Invalid value: ["10.0.0.1","10.0.0.2"]: may specify no more than one IP for each IP family',
    );
    assert.equal(
      answerTo("externalIPs: [1.2.3.4, 127.0.0.1, 0.0.0.0, 'fe80::1', x]"),
      [
        'spec.externalIPs[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'spec.externalIPs[2]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
        'spec.externalIPs[3]: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'spec.externalIPs[4]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ].join("\n"),
    );
    assert.equal(
      field(create(service("externalIPs: [1.2.3.4]")), "spec.externalTrafficPolicy"),
      "Cluster",
    );
  });

  test("must have None alone, at most two addresses, and those of its families", () => {
    const invalid = (list: string, detail: string): string =>
      `spec.clusterIPs: Invalid value: [${list}]: ${detail}`;
    assert.equal(
      answerTo("clusterIP: None, clusterIPs: [None, 10.0.0.1]"),
      invalid('"None","10.0.0.1"', "'None' must be the first and only value"),
    );
    assert.equal(
      answerTo(
        "ipFamilyPolicy: RequireDualStack, clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1, 'fd00::1', 10.0.0.2]",
      ),
      invalid('"10.0.0.1","fd00::1","10.0.0.2"', "may only hold up to 2 values"),
    );
    assert.equal(
      answerTo("clusterIP: 10.0.0.1, ipFamilies: [IPv6]"),
      'spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`',
    );
  });

  test("with several ports must have names and different node ports", () => {
    assert.equal(
      answerTo("type: NodePort", "[{ port: 80 }, { port: 81, name: b }]"),
      "spec.ports[0].name: Required value",
    );
    const forbidden = "Forbidden: may not be used when `type` is 'ClusterIP'";
    assert.equal(
      answerTo(
        "type: ClusterIP",
        "[{ name: a, port: 80, nodePort: 30080 }, { name: b, port: 81, nodePort: 30080 }]",
      ),
      [
        `spec.ports[0].nodePort: ${forbidden}`,
        `spec.ports[1].nodePort: ${forbidden}`,
        "spec.ports[1].nodePort: Duplicate value: 30080",
      ].join("\n"),
    );
  });

  test("of type ClusterIP must not have fields of load balancers and node ports", () => {
    assert.equal(
      answerTo(
        "loadBalancerSourceRanges: [10.0.0.0/8, ' 10/8 '], loadBalancerClass: a.example/b, allocateLoadBalancerNodePorts: false, externalTrafficPolicy: Local, healthCheckNodePort: 30000",
        "[{ port: 80, nodePort: 30080 }]",
      ),
      [
        "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
        "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
        'spec.LoadBalancerSourceRanges[1]: Invalid value: "10/8": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        "spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
        "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
        "spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ].join("\n"),
    );
    assert.equal(
      answerTo(
        "type: NodePort",
        "[{ name: a, port: 80, nodePort: 30080 }, { name: b, port: 81, nodePort: 30080 }]",
      ),
      "spec.ports[1].nodePort: Invalid value: 30080: provided port is already allocated",
    );
  });

  test("shares a node port among ports with the same number", () => {
    const ports = "[{ name: a, port: 53 }, { name: b, port: 53, protocol: UDP, nodePort: 30053 }]";
    const nodePorts = (spec: string): unknown =>
      [0, 1].map((index) => field(create(service(spec, ports)), `spec.ports.${index}.nodePort`));
    assert.deepEqual(nodePorts("type: NodePort"), [30_053, 30_053]);
    const none = "type: LoadBalancer, allocateLoadBalancerNodePorts: false";
    assert.deepEqual(nodePorts(none), [undefined, 30_053]);
  });

  test("has its node ports allocated before other validation", () => {
    const answer = (ports: string): string => answerTo("type: NodePort", ports);
    assert.equal(
      answer("[{ name: a, port: 0, nodePort: 30080 }, { name: a, port: 81, nodePort: 30080 }]"),
      "spec.ports[1].nodePort: Invalid value: 30080: provided port is already allocated",
    );
    const dns = "{ name: a, port: 53, nodePort: 30053 }, { name: b, port: 53, protocol: UDP";
    assert.equal(answer(`[${dns}, nodePort: 30053 }]`), "accepted");
    assert.equal(
      answer(`[${dns} }, { name: c, port: 54, nodePort: 30053 }]`),
      "spec.ports[2].nodePort: Invalid value: 30053: provided port is already allocated",
    );
    // The first port of a number asks for what any of them names.
    const between = "[{ name: a, port: 53 }, { name: c, port: 54, nodePort: 30053 }";
    const dnsOverTcp = "{ name: b, port: 53, protocol: UDP, nodePort: 30053 }]";
    assert.equal(
      answer(`${between}, ${dnsOverTcp}`),
      "spec.ports[1].nodePort: Invalid value: 30053: provided port is already allocated",
    );
    const none = "type: LoadBalancer, allocateLoadBalancerNodePorts: false";
    assert.equal(
      answerTo(none, `${between}, ${dnsOverTcp}`),
      "spec.ports[2].nodePort: Invalid value: 30053: provided port is already allocated",
    );
    assert.equal(
      answer(`[${dns}, nodePort: 30054 }, { name: c, port: 54, nodePort: 30054 }]`),
      "spec.ports[2].nodePort: Invalid value: 30054: provided port is already allocated",
    );
  });

  test("has a limit for the timeout of session affinity", () => {
    const seconds = (value: number): string =>
      answerTo(
        `sessionAffinity: ClientIP, sessionAffinityConfig: { clientIP: { timeoutSeconds: ${value} } }`,
      );
    assert.equal(seconds(86_400), "accepted");
    assert.equal(
      seconds(86_401),
      "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400",
    );
  });

  test("loses the config of session affinity if it has none", () => {
    const config = "sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } }";
    const answer = create(service(`sessionAffinity: None, ${config}`));
    assert.equal(field(answer, "spec.sessionAffinityConfig"), undefined);
  });

  test("keeps its address", () => {
    assert.equal(
      refusal(replace(service("clusterIP: 10.0.0.1"), service("clusterIP: 10.0.0.2"))),
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
    );
  });

  test("may keep invalid addresses that were stored before a rule existed", () => {
    const before = service(
      "type: LoadBalancer, clusterIP: 010.0.0.1, clusterIPs: [010.0.0.1], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, sessionAffinity: None, externalIPs: [01.2.3.4, 127.0.0.01], loadBalancerSourceRanges: [' 10.0.0.1/8']",
      "[{ port: 80, protocol: TCP }]",
    );
    const change = (spec: string): string => refusal(patchStored(before, `spec: { ${spec} }`));
    const loopback =
      'spec.externalIPs[1]: Invalid value: "127.0.0.01": may not be in the loopback range (127.0.0.0/8, ::1/128)';
    assert.equal(change("externalTrafficPolicy: Cluster"), loopback);
    assert.equal(
      change("externalIPs: [01.2.3.4], loadBalancerSourceRanges: [10.0.0.1/8]"),
      "accepted",
    );
    assert.equal(
      change("externalIPs: [1.2.3.04], loadBalancerSourceRanges: [10.0.0.2/8]"),
      [
        'spec.externalIPs[0]: Invalid value: "1.2.3.04": must not have leading 0s',
        'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.2/8": must not have bits set beyond the prefix length',
      ].join("\n"),
    );
  });

  test("updates its list of addresses with clusterIP, unless the list is changed itself", () => {
    const repeated = (spec: string): string =>
      refusal(replace(service("clusterIP: 10.0.0.1"), service(spec)));
    assert.equal(
      repeated("clusterIP: None, clusterIPs: [10.0.0.1]"),
      'spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set',
    );
    assert.equal(repeated("clusterIPs: []"), "accepted");
    assert.equal(
      repeated("clusterIP: 10.0.0.2, clusterIPs: [10.0.0.3]"),
      'spec.clusterIPs: Invalid value: ["10.0.0.3"]: first value must match `clusterIP`',
    );
  });

  test("has its addresses allocated before other validation", () => {
    const noAddress =
      'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    assert.equal(answerTo("clusterIP: x", "[{ port: 0 }]"), noAddress);
    assert.equal(refusal(replace(service("clusterIP: None"), service("clusterIP: x"))), noAddress);
  });
});

suite("ConfigMaps, Secrets and service accounts:", () => {
  const large = "x".repeat(1_048_577);

  test("data must not exceed 1 MiB", () => {
    const configMap = (text: string): string =>
      `{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: "${text}" } }`;
    assert.equal(refusal(create(configMap(large.slice(1)))), "accepted");
    assert.equal(
      refusal(create(configMap(large))),
      "[]: Too long: may not be more than 1048576 bytes",
    );
    assert.equal(
      refusal(
        create(
          `{ apiVersion: v1, kind: Secret, metadata: { name: s }, stringData: { a: "${large}" } }`,
        ),
      ),
      "data: Too long: may not be more than 1048576 bytes",
    );
  });

  test("an SSH secret must have a private key that is not empty", () => {
    assert.equal(
      refusal(
        create(
          '{ apiVersion: v1, kind: Secret, metadata: { name: s }, type: kubernetes.io/ssh-auth, stringData: { ssh-privatekey: "" } }',
        ),
      ),
      "data[ssh-privatekey]: Required value",
    );
  });

  test("keys must stay in their folder as names of files", () => {
    const answer = (key: string): string =>
      refusal(
        create(`{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { "${key}": x } }`),
      );
    assert.equal(answer("..a"), "data[..a]: Invalid value: \"..a\": must not start with '..'");
    assert.equal(answer(".."), "data[..]: Invalid value: \"..\": must not be '..'");
    assert.equal(answer("."), "data[.]: Invalid value: \".\": must not be '.'");
  });

  test("a key must not hold both text and bytes", () => {
    assert.equal(
      refusal(
        create(
          "{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: x }, binaryData: { a: eA== } }",
        ),
      ),
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    );
  });

  test("a basic-auth secret must have a user name or a password", () => {
    const answer = (data: string): string =>
      refusal(
        create(
          `{ apiVersion: v1, kind: Secret, metadata: { name: s }, type: kubernetes.io/basic-auth, stringData: { ${data} } }`,
        ),
      );
    assert.equal(answer("password: p"), "accepted");
    assert.equal(
      answer("user: u"),
      "data[username]: Required value\ndata[password]: Required value",
    );
  });

  test("a token secret must have the annotation of its account", () => {
    assert.equal(
      refusal(
        create(
          "{ apiVersion: v1, kind: Secret, metadata: { name: s }, type: kubernetes.io/service-account-token }",
        ),
      ),
      "metadata.annotations[kubernetes.io/service-account.name]: Required value",
    );
  });

  test("a registry secret must hold a JSON object", () => {
    const answerTo = (config: string): string => {
      const data = JSON.stringify({ ".dockerconfigjson": config });
      return refusal(
        create(
          `{ apiVersion: v1, kind: Secret, metadata: { name: s }, type: kubernetes.io/dockerconfigjson, stringData: ${data} }`,
        ),
      );
    };
    const refused = (why: string): string =>
      `data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": ${why}`;
    const accepted = [
      "{}",
      ' {"auths": {"a.io": {"auth": "\\u00e9\\n", "n": [-0.5e+3, 10, true, [], {}]}}}\n',
      "null",
    ];
    for (const config of accepted) assert.equal(answerTo(config), "accepted", config);
    const errors: readonly (readonly [config: string, why: string])[] = [
      ["", "unexpected end of JSON input"],
      ['{"auths": {', "unexpected end of JSON input"],
      ['{"a": "b', "unexpected end of JSON input"],
      ["<config>", "invalid character '<' looking for beginning of value"],
      ["{auths: {}}", "invalid character 'a' looking for beginning of object key string"],
      ["{'a': 1}", "invalid character '\\'' looking for beginning of object key string"],
      ['{"a" "b"}', "invalid character '\"' after object key"],
      ['{"a": 1 "b": 2}', "invalid character '\"' after object key:value pair"],
      ['{"a": [1 2]}', "invalid character '2' after array element"],
      ['{"a": 1,}', "invalid character '}' looking for beginning of object key string"],
      ["{} {}", "invalid character '{' after top-level value"],
      ['{"a": "\t"}', "invalid character '\\t' in string literal"],
      ['{"a": "\\x"}', "invalid character 'x' in string escape code"],
      ['{"a": "\\u12g4"}', "invalid character 'g' in \\u hexadecimal character escape"],
      ['{"a": tru}', "invalid character '}' in literal true (expecting 'e')"],
      ['{"a": -x}', "invalid character 'x' in numeric literal"],
      ['{"a": 1.}', "invalid character '}' after decimal point in numeric literal"],
      ['{"a": 1e}', "invalid character '}' in exponent of numeric literal"],
      ["{é}", "invalid character 'Ã' looking for beginning of object key string"],
      ["[".repeat(10_001), "invalid character '[' exceeded max depth"],
      ["[{}]", "json: cannot unmarshal array into Go value of type map[string]interface {}"],
      ['"a"', "json: cannot unmarshal string into Go value of type map[string]interface {}"],
      ["-1", "json: cannot unmarshal number into Go value of type map[string]interface {}"],
      ["true", "json: cannot unmarshal bool into Go value of type map[string]interface {}"],
    ];
    for (const [config, why] of errors) assert.equal(answerTo(config), refused(why), config);
  });

  test("a service account is validated as a whole in an update", () => {
    const account = (metadata: string): string =>
      `{ apiVersion: v1, kind: ServiceAccount, metadata: { name: a, ${metadata} } }`;
    const lines = refusal(replace(account(""), account("labels: { a: b c }"))).split("\n");
    assert.equal(lines.length, 4);
  });
});
