//! Requests of one client leave in the order in which they came, as long as none of them waits.

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_of_a_burst_reach_the_server_in_the_order_they_came() {
    const REQUESTS: usize = 300;
    let mut bench = bench("{}");
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call("first", "pay", json!({}))).await;
    let tool = json!({"name": "pay", "inputSchema": {"type": "object"}});
    list(&mut server, json!([tool])).await;
    work(&mut server).await;
    assert_eq!(bench.client.hear().await["id"], "first");
    let request = |number: usize| {
        // Calls are judged, and reads may be repeated.
        if number.is_multiple_of(3) {
            let params = json!({"uri": format!("order:{number}")});
            json!({"jsonrpc": "2.0", "id": number, "method": "resources/read", "params": params})
        } else {
            call(number, "pay", json!({"number": number}))
        }
    };
    let burst: Vec<u8> = (0..REQUESTS)
        .flat_map(|number| [request(number).to_string().into_bytes(), b"\n".to_vec()].concat())
        .collect();
    bench.client.mumble(&burst).await;
    for number in 0..REQUESTS {
        let received = server.hear().await;
        assert_eq!(received["params"], request(number)["params"]);
    }
}
